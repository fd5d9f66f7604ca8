import Type from 'typebox'
import Value from 'typebox/value'
import { BaseSequencer, createVitest, type TestSpecification } from 'vitest/node'

const Message = Type.Object({ path: Type.String(), tests: Type.Array(Type.String()) })

/** The tests that are closest to the mutant come first. */
class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files
  }
}

/** Says for each change of a file that the parent names whether a test fails. One Vitest keeps what it has read. */
async function main(): Promise<void> {
  const vitest = await createVitest({
    config: false,
    root: process.cwd(),
    watch: false,
    include: ['**/*.test.ts'],
    reporters: [{}],
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    bail: 1,
    expect: { requireAssertions: true, poll: { timeout: 5000, interval: 20 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: AsGiven },
  })
  const project = vitest.getRootProject()
  process.on('message', (message) => {
    const { path, tests } = Value.Parse(Message, message)
    // Vitest counts the failures of all runs: with those of the last mutant it would stop at once.
    vitest.state.filesMap.clear()
    vitest.state.idMap.clear()
    vitest.state.errorsSet.clear()
    vitest.invalidateFile(path)
    const start = process.cpuUsage()
    const specifications = tests.map((test) => project.createSpecification(test))
    void vitest.runTestSpecifications(specifications).then(({ testModules, unhandledErrors }) => {
      const states = testModules.map((tried) => tried.state())
      const isKilled = unhandledErrors.length > 0 || states.includes('failed')
      vitest.invalidateFile(path)
      if (!isKilled && states.filter((state) => state === 'passed').length !== tests.length)
        throw new Error(`not all of ${tests.join(', ')} have run: ${states.join(', ')}`)
      const { user, system } = process.cpuUsage(start)
      process.send?.({ isKilled, cpuMs: (user + system) / 1000 })
    })
  })
}

await main()
