import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { installationEnvironment } from '@sealpost/testkit'
import { knownAddresses } from '../dev/addresses.ts'
import { knownEngines } from '../infra/known-engines.ts'

export type DevRegion = 'eu' | 'us'

export interface ScriptEnd {
  readonly code: number
  readonly out: string
  readonly error: string
}

/** Runs a script of the region app with the settings of a region of `npm run dev`; `pipe` captures its output. */
export function runRegionScript(
  region: DevRegion,
  script: 'operate' | 'doctor',
  args: readonly string[],
  stdio: 'inherit' | 'pipe',
): ScriptEnd {
  const path = fileURLToPath(import.meta.resolve(`@sealpost/region/${script}`))
  // These commands neither sign nor send mail, but the settings are required.
  const environment = installationEnvironment(knownEngines(), knownAddresses(), '', 'smtp://127.0.0.1:1')
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    stdio,
    encoding: 'utf8',
    env: { ...process.env, ...environment[region] },
  })
  return { code: status ?? 1, out: stdout ?? '', error: stderr ?? '' }
}
