import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { installationEnvironment, readEngines } from '@sealpost/testkit'
import { devAddresses } from '../dev/addresses.ts'

/** `npm run operate -- eu platform:pause-writes on`: an operator's command on a region of `npm run dev`. */
const SCRIPT = fileURLToPath(import.meta.resolve('@sealpost/region/operate'))
const [region, ...args] = process.argv.slice(2)
if (region !== 'eu' && region !== 'us') {
  console.error('say which region: npm run operate -- eu|us <command> …')
  process.exit(2)
}
// Nothing here signs or mails: these two only have to be there.
const environment = installationEnvironment(readEngines(), devAddresses, '', 'smtp://127.0.0.1:1')
const { status } = spawnSync(process.execPath, [SCRIPT, ...args], {
  stdio: 'inherit',
  env: { ...process.env, ...environment[region] },
})
process.exitCode = status ?? 1
