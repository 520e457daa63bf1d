int one();
