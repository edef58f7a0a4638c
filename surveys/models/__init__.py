"""Every table of the product, by what it knows: configuration, answers, results, staff, audit, workers."""

from surveys.models.account import Account
from surveys.models.audit import AuditEntry
from surveys.models.response import InboxReport, Report, Spent
from surveys.models.result import Estimate, Tally
from surveys.models.survey import Grant, Question, RetiredAddress, Survey, Version
from surveys.models.worker import WorkerSeen

__all__ = [
    "Account",
    "AuditEntry",
    "Estimate",
    "Grant",
    "InboxReport",
    "Question",
    "Report",
    "RetiredAddress",
    "Spent",
    "Survey",
    "Tally",
    "Version",
    "WorkerSeen",
]
