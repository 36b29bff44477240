"""Phase `assign`: hard registers in the places of pseudo-registers; what is kept in registers that are left."""
