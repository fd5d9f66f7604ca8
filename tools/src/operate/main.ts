import { runRegionScript } from './region-script.ts'

/** `npm run operate -- eu platform:pause-writes on`: runs an operator's command in a region of `npm run dev`. */
const [region, ...args] = process.argv.slice(2)
if (region !== 'eu' && region !== 'us') {
  console.error('region missing: npm run operate -- eu|us <command> …')
  process.exit(2)
}
process.exitCode = runRegionScript(region, 'operate', args, 'inherit').code
