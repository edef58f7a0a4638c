"""What a first start shows: accounts, an open survey to answer, a closed one with results."""
