"""A player that improves on the choices of a rollout policy by simulations."""
