import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { writeComposeSettings } from '../compose/write-settings.ts'
import { busFolder, DEV_REGIONS } from '../infra/bus-folder.ts'
import { runRegionScript } from './region-script.ts'

/**
 * `npm run operate -- eu platform:pause-writes on`: runs an operator's command in a region of `npm run dev`;
 * `npm run operate -- bus:credentials`: writes the logins of its NATS servers to `.local/bus`;
 * `npm run operate -- compose:settings`: writes the settings of the apps of `compose.yaml` to `.local/compose`.
 */
const [first, ...args] = process.argv.slice(2)
if (first === 'bus:credentials') {
  process.exitCode = writeCredentials(args)
} else if (first === 'compose:settings') {
  await writeComposeSettings()
} else if (first === 'eu' || first === 'us') {
  process.exitCode = runRegionScript(first, 'operate', args, 'inherit').code
} else {
  console.error('region missing: npm run operate -- eu|us <command> …')
  process.exitCode = 2
}

/** Needs no engine: the NATS servers of `compose.yaml` cannot start without these files. */
function writeCredentials(given: readonly string[]): number {
  const path = fileURLToPath(import.meta.resolve('@sealpost/region/operate'))
  const out = given.includes('--out') ? [] : ['--out', busFolder()]
  const env = { ...process.env, REGIONS: process.env['REGIONS'] ?? DEV_REGIONS }
  const command = [path, 'bus:credentials', ...out, ...given]
  return spawnSync(process.execPath, command, { stdio: 'inherit', env }).status ?? 1
}
