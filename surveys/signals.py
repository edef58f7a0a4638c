"""What the surveys tell whoever listens; sent after the transaction that made it true."""

from django.dispatch import Signal

# sender=Survey, survey_id=int. Listeners only wake up workers: the database is the truth.
survey_closed = Signal()
# sender=QueryRun, run_id=int.
query_charged = Signal()
