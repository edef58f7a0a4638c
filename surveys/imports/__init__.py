"""What staff bring in files: tables of respondents, from text or a workbook, checked row by row."""
