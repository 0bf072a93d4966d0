"""Operations: placing support, support checks and Tiananmen attempts."""
