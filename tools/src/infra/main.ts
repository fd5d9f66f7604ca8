import { existsSync } from 'node:fs'
import { ENGINES_FILE } from '@sealpost/testkit/engines'
import { describeEngines } from './describe-engines.ts'
import { withInfraLock } from './lock.ts'
import { runningDaemons, stopDaemon } from './processes.ts'
import { dropDatabases, requireLoopback, resetEngines } from './reset.ts'
import { bringUp } from './up.ts'

const COMMANDS: Readonly<Record<'up' | 'reset' | 'remove' | 'down', () => Promise<void>>> = {
  async up() {
    for (const line of describeEngines(await bringUp('tests'))) console.log(line)
    console.log(`endpoints are in ${ENGINES_FILE}`)
  },
  async reset() {
    requireLoopback(process.env)
    await bringUp('tests')
    for (const line of await resetEngines()) console.log(`  ${line}`)
  },
  async remove() {
    requireLoopback(process.env)
    // Without the file, no run has come as far as making databases.
    if (existsSync(ENGINES_FILE)) await dropDatabases()
    await COMMANDS.down()
  },
  async down() {
    const daemons = runningDaemons()
    for (const daemon of daemons.toSorted((one, other) => stopRank(one) - stopRank(other))) {
      await stopDaemon(daemon)
      console.log(`  stopped ${daemon}`)
    }
    if (daemons.length === 0) console.log('  nothing to stop: no engine here was started by npm run infra')
  },
}

// `npm run infra -- down` passes the arguments `up down`.
const name = process.argv.at(-1) ?? ''
const command = Object.entries(COMMANDS).find(([known]) => known === name)?.[1]
if (command === undefined) {
  console.error(`unknown command ${name}: use ${Object.keys(COMMANDS).join(', ')}`)
  process.exitCode = 2
} else {
  const began = performance.now()
  try {
    await withInfraLock(command)
    console.log(`infra ${name}: done in ${seconds((performance.now() - began) / 1000)}`)
  } catch (error) {
    console.error(`infra ${name} failed: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}

/** The S3 gateway stops before its store, and the store before its monitor. */
function stopRank(daemon: string): number {
  return ['s3-gateway', 's3-store', 's3-monitor'].indexOf(daemon)
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`
}
