import { runCommand } from '@sealpost/process'
import { regionSettings } from '../../settings.ts'
import { withRegion } from '../open-region.ts'
import { operate } from './index.ts'

/**
 * `node apps/region/src/commands/operate/main.ts <command> …`: one command of an operator, with the settings of the
 * region.
 */
await runCommand(regionSettings, (settings) =>
  withRegion(settings, (region) =>
    operate(region, process.argv.slice(2), (line) => void process.stderr.write(`${line}\n`)),
  ),
)
