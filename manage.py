#!/usr/bin/env python3
"""Django's command line for Deniable."""

import os
import sys


def main() -> None:
    """Run the command named on the command line with the settings of `deploy`."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
