"""From counts of randomised reports to shares with honest error bars."""
