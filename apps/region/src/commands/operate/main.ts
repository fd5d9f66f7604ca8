import { runCommand, systemClock } from '@sealpost/process'
import { regionSettings } from '../../settings.ts'
import { runBusCredentials } from '../bus-credentials/index.ts'
import { BUS_CREDENTIALS } from '../bus-credentials/usage.ts'
import { withRegion } from '../open-region.ts'
import { operate } from './index.ts'

/**
 * `node apps/region/src/commands/operate/main.ts <command> …`: one command of an operator, with the settings of the
 * region.
 */
const [name, ...args] = process.argv.slice(2)
if (name === BUS_CREDENTIALS.name) {
  const { REGIONS } = regionSettings
  await runCommand({ REGIONS }, (settings) => runBusCredentials(settings.REGIONS, args, systemClock.now()))
} else {
  await runCommand(regionSettings, (settings) =>
    withRegion(settings, (region) =>
      operate(region, process.argv.slice(2), (line) => void process.stderr.write(`${line}\n`)),
    ),
  )
}
