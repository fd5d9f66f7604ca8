import { type DevRegion, runRegionScript } from './region-script.ts'

/**
 * `npm run doctor`: what holds messages up in the regions of `npm run dev`; `npm run doctor -- webhook <id>`: why the
 * events of a webhook wait, wherever it lives.
 */
const args = process.argv.slice(2)
const answers = (['eu', 'us'] satisfies DevRegion[]).map((region) => ({
  region,
  ...runRegionScript(region, 'doctor', args, 'pipe'),
}))
if (args[0] === 'webhook') {
  // One region knows it; what the other says is of interest only if none does.
  const known = answers.filter(({ code }) => code === 0)
  for (const { out } of known) console.log(out.trimEnd())
  // Where both say the same, once is enough.
  if (known.length === 0) for (const told of new Set(answers.map((each) => each.told.trimEnd()))) console.error(told)
  process.exitCode = known.length === 0 ? 1 : 0
} else {
  for (const { region, out, told } of answers) console.log(`${region}: ${`${out}${told}`.trimEnd()}`)
  process.exitCode = Math.max(...answers.map(({ code }) => code))
}
