import { builtinEnvironments, type Environment } from 'vitest/runtime'

const WORKER_END = Symbol.for('sealpost.worker-end')

/**
 * Node, and the one hook of Vitest that runs once when a worker ends: what the files of a worker have shared is closed
 * there (see testkit/README.md). Modules of an environment are not those of the tests, so that they meet in a global.
 */
const workerEnvironment: Environment = {
  name: 'worker',
  viteEnvironment: 'ssr',
  async setup(global, options) {
    const ends = new Set<() => Promise<void>>()
    Reflect.set(global, WORKER_END, ends)
    const node = await builtinEnvironments.node.setup(global, options)
    return {
      async teardown() {
        await Promise.all(Array.from(ends, (end) => end()))
        await node.teardown(global)
      },
    }
  },
}

// oxlint-disable-next-line import/no-default-export -- Vitest takes an environment from there
export default workerEnvironment
