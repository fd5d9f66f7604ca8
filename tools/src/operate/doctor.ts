import { type DevRegion, runRegionScript } from './region-script.ts'

/**
 * `npm run doctor`: why messages are delayed in the regions of `npm run dev`, and which jobs are dead; `-- jobs`: their
 * queues of jobs; `-- webhook <id>`: why the events of a webhook wait, in whichever region it is.
 */
const args = process.argv.slice(2)
const answers = (['eu', 'us'] satisfies DevRegion[]).map((region) => ({
  region,
  ...runRegionScript(region, 'doctor', args, 'pipe'),
}))
if (args[0] === 'webhook') {
  // One region knows the webhook; errors are printed only if none does.
  const known = answers.filter(({ code }) => code === 0)
  for (const { out } of known) console.log(out.trimEnd())
  // The same error of both regions is printed once.
  if (known.length === 0) for (const error of new Set(answers.map((each) => each.error.trimEnd()))) console.error(error)
  process.exitCode = known.length === 0 ? 1 : 0
} else {
  for (const { region, out, error } of answers) console.log(`${region}: ${`${out}${error}`.trimEnd()}`)
  process.exitCode = Math.max(...answers.map(({ code }) => code))
}
