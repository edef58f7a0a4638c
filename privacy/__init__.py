"""The mathematics of deniable answers: no Django, no I/O; randomness and time are arguments."""
