"""What every part of ease may use: files that a command writes, interruptions, versions."""
