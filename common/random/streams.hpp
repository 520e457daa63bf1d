/// \file
/// \brief The random streams of the book, by name. Each experiment draws from streams of its own,
/// so that its numbers depend neither on who runs first nor on what another experiment draws. All
/// of them stand here in ascending order: a test asks that no number occurs twice and that
/// nobody numbers a stream elsewhere, but for an example.cpp and a test, which are programs of
/// their own.
#pragma once

#include <cstdint>

namespace attn::random {

/// Which of a seed's streams a generator draws from. From one to the next there is room for
/// \f$ 2^{40} \f$ members, for what is drawn anew for each size, step or trial. What is committed
/// was drawn from these numbers: they stay, and a new stream takes one that is free.
enum class Stream : std::uint64_t
{
    /// Chapter 2's samples, a member for each draw. Generator(seed) draws from the first member,
    /// and the gradients that chapter 4 compares share the fifth.
    samples = 0,

    // Chapter 3
    dot_products = 1, ///< keys and queries of random numbers; a member for each size and piece
    key_tables = 2,   ///< tables of keys, for the root of d; a member for each d
    keys_of_any_norm = 3, ///< Gaussian scores beside dot products; a member for each table
    query_maps = 4,       ///< from a key to its query
    retrieval = 5,        ///< the tasks of retrieval
    growing_keys = 7,     ///< one query and its keys, as they grow

    // Chapter 4
    small_query_maps = 21,     ///< from a key to its query
    score_parameters = 22,     ///< the scores' first parameters; a member for each score
    retrieval_training = 23,   ///< tables to learn from
    retrieval_test = 24,       ///< tables of the test
    root_of_d_data = 25,       ///< what is learnt with and without the root of d
    root_of_d_parameters = 26, ///< the projections' first parameters
    split_data = 27,           ///< examples to be split for a selection
    split_training = 28,       ///< first parameters and order of the trainings on a split

    // Chapter 5, the same for each of its tasks
    layer_training = 31,   ///< examples to learn from
    layer_validation = 32, ///< examples to choose by
    layer_test = 33,       ///< fresh examples
    layer_parameters = 34, ///< first parameters
    layer_order = 35,      ///< the order of the examples
    layer_properties = 36, ///< what holds without training; a member for each property

    // Chapter 6
    recall_parameters = 61,     ///< first parameters of the networks that recall
    recall_training = 62,       ///< examples of recall to learn from
    recall_test = 63,           ///< fresh ones; the rule that learns nothing meets the same
    time_series = 64,           ///< the two series: a member for each
    forecaster_parameters = 65, ///< first parameters
    forecaster_order = 66,      ///< the order of the windows

    // Chapter 7; all translators of the book read their pairs in the order of 71
    translation_order = 71,     ///< of the pairs; a member for each epoch
    bottleneck_parameters = 72, ///< first parameters of the models
    word_tables = 73,           ///< embeddings and their gradients

    // Chapter 8
    alignment_parameters = 81, ///< first parameters of the translators
    all_steps_at_once = 82,    ///< a translator whose scores are computed for all steps at once
    interventions = 83,        ///< the words that replace others
    frozen_states = 84,        ///< the frozen-state test
    one_sentence = 85,  ///< the words that replace a sentence's; a member for each sentence
    swapped_nouns = 86, ///< the nouns that replace others

    // Chapter 9
    pointer_parameters = 91, ///< first parameters
    pointer_training = 92,   ///< lists to learn from
    sorting_test = 93,       ///< lists to sort; a member for each length
    shown_list = 94,         ///< the list whose weights are shown
    hulls_test = 95,         ///< points whose hull is asked for; a member for each size
    shown_hulls = 96, ///< those of the figures; a member for each size, the first the page's
    tours_test = 97,  ///< points to be visited; a member for each size
    hull_targets_test = 99, ///< points of the comparison of targets

    // Chapter 10
    story_training = 101,    ///< stories to learn from
    entity_parameters = 102, ///< first parameters of the entity network
    story_test = 103,        ///< fresh stories; a member for each length
    other_parameters = 104,  ///< first parameters of the networks beside it
    shown_story = 105,       ///< the story that is shown; a member for each task
    page_stories = 107,      ///< the stories of the page's figure

    // Chapter 11
    head_properties = 111, ///< what holds without training; each begins with the same numbers
    pair_parameters = 112, ///< first parameters of the model of marked pairs
    pair_training = 113,   ///< pairs to learn from
    pair_test = 114,       ///< fresh ones
    sequence_parameters = 115, ///< first parameters of the model of sequences
    sequence_training = 116,   ///< sequences to learn from
    sequence_test = 117,       ///< fresh ones

    // Chapter 12
    transformer_parameters = 121, ///< first parameters
    transformer_dropout = 122,    ///< what is dropped
    copied_sentences = 123,       ///< sentences to copy
    cached_decoding = 124,        ///< the model and the words whose operations are counted
    norms_by_depth = 125,         ///< the layers whose norms are measured
    head_effects = 126,           ///< the words that replace others; a member for each sentence

    // Chapter 13
    halves = 130,                    ///< a decoder's layer beside an encoder's
    language_model_parameters = 131, ///< first parameters
    repetition_training = 132,       ///< sequences to learn from; a member for each step
    repetition_test = 133,           ///< fresh ones
    text_windows = 134,      ///< windows of a text, for the reader's own text and for the
                             ///< grammar's alike; a member for each step
    text_writing = 135,      ///< tokens that are drawn, by the models of both texts
    grammar_text = 136,      ///< the order of the grammar's sentences
    published_writing = 137, ///< tokens that a published model draws
    french_order = 138,      ///< of the French sentences; a member for each epoch
    masked_words = 139,      ///< which words are masked; a member for each step
    filled_words = 140,      ///< words that are drawn for masked ones

    // Chapter 14
    fast_model_data = 141,    ///< the order of the pairs; the words of the long text
    orders_of_addition = 142, ///< both factors of each product; a member for each depth
    decoding_formats = 145,   ///< the order of the sentences, then a member for each step
    decoding_speed = 146,     ///< the tokens that are read
};

} // namespace attn::random
