import { checkOutRelease, ROOT } from '@sealpost/testkit'
import { Checks } from './checks.ts'
import { type Arrangement, runSmoke } from './run.ts'

/**
 * `npm run smoke`: checks the main flows of an installation with two regions and prints each result.
 * `npm run smoke -- --beside REF` does so three times with the release at that git ref beside this one.
 */
const checks = new Checks()
// A signal alone runs no `exit` handlers, which delete the checkout of the other release.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code))
const [flag, ref] = process.argv.slice(2)
if (flag === undefined) await runSmoke(checks)
else if (flag === '--beside' && ref !== undefined) await runBeside(ref)
else {
  console.error('usage: npm run smoke [-- --beside REF]')
  process.exit(2)
}
process.exit(checks.summary() === 0 ? 0 : 1)

async function runBeside(other: string): Promise<void> {
  const release = await checkOutRelease(other)
  const [there, here] = [[release.root], [ROOT]]
  const both = [ROOT, release.root]
  const arrangements: readonly Arrangement[] = [
    { name: 'a process of each release behind every address', roots: { frontDoor: both, eu: both, us: both } },
    { name: `eu runs ${other}, the rest this release`, roots: { frontDoor: here, eu: there, us: here } },
    { name: `us and the front door run ${other}, eu this release`, roots: { frontDoor: there, eu: here, us: there } },
  ]
  try {
    for (const arrangement of arrangements) {
      console.log(`\n${arrangement.name} (${other} is ${release.commit.slice(0, 12)})`)
      await runSmoke(checks, arrangement)
    }
  } finally {
    release.remove()
  }
}
