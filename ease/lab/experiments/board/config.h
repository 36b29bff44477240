/* A suite for boards includes this; there is nothing to say. */
