"""Making certified paths shorter for as long as there is time, and finding others."""
