"""What the front end says about a program: messages, flags, and what they warn of."""
