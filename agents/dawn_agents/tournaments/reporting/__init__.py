"""Reports as tables on the terminal, HTML pages, SVG plots and CSV files."""
