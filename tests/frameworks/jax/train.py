import argparse
import time

import jax
import jax.numpy as jnp

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.3)
parser.add_argument("--steps", type=int, default=60)
args = parser.parse_args()
print(args)

key = jax.random.PRNGKey(0)
data_key, weight_key = jax.random.split(key)
x = jax.random.normal(data_key, (256, 8))
y = jnp.sin(x @ jnp.arange(8.0))[:, None]
params = [(jax.random.normal(k, (n, m)) / jnp.sqrt(n), jnp.zeros(m))
          for k, n, m in zip(jax.random.split(weight_key), (8, 32), (32, 1))]


def loss_fn(params, x, y):
    for w, b in params[:-1]:
        x = jnp.tanh(x @ w + b)
    w, b = params[-1]
    return jnp.mean((x @ w + b - y) ** 2)


@jax.jit
def update(params, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    norm = jnp.sqrt(sum(jnp.sum(g ** 2) for g in jax.tree_util.tree_leaves(grads)))
    return jax.tree_util.tree_map(lambda p, g: p - args.lr * g, params, grads), loss, norm


start = time.time()
for step in range(1, args.steps + 1):
    params, loss, norm = update(params, x, y)
    if step % 5 == 0:
        print(f"[{time.strftime('%H:%M:%S')}] step {step:4d}/{args.steps} | loss {loss:.4f} | grad norm {norm:.3f} "
              f"| {time.time() - start:.1f}s elapsed", flush=True)
