/// \file
/// \brief Solutions of exercises 4.6 and 4.7. Deliberately not used by any other chapter.
#pragma once

#include "chapters/04_backpropagation/training_lesson.hpp"

namespace attn::backpropagation::solutions {

/// Exercise 4.6: the lesson with every number of a query divided by its standard deviation over
/// the examples to learn from. Only over these: what is to be tested must not be looked at.
/// \param lesson  in units of its own
/// \returns       the same examples in these standard deviations
Lesson standardised(const Lesson& lesson);

/// Exercise 4.7: the learning rate at which plain gradient descent goes as far in a step as one
/// with momentum does when the slope has long been the same.
/// \param rate      of the descent with momentum
/// \param momentum  from 0 to below 1
/// \returns         the rate without momentum
double lasting_rate(double rate, double momentum);

} // namespace attn::backpropagation::solutions
