import { turnSwitches } from '../modules/access/index.ts'
import { type OperatorCommand, readOnOff } from './command.ts'

/** When it has answered, every process of the region refuses writes, or takes them again. */
export const pauseWrites: OperatorCommand = {
  takes: 'on|off',
  about: 'refuses whatever would write, with db.writes_paused; reads, logins and tokens go on',
  async run({ database, clock, region }, args) {
    const writesPaused = readOnOff(args)
    await turnSwitches({ database, clock }, { writesPaused })
    return writesPaused ? `${region} writes nothing until the pause is turned off` : `${region} takes writes again`
  },
}

/**
 * The region's own processes first, then the directory: were it the other way round, an outage in between would show a
 * region as out of order that still serves. Both can be repeated.
 */
export const outOfOrder: OperatorCommand = {
  takes: 'on|off',
  about: 'refuses every call with platform.out_of_order while the region is being rebuilt; /api/regions shows it',
  async run({ database, clock, region, clientDirectory }, args) {
    const isOn = readOnOff(args)
    await turnSwitches({ database, clock }, { outOfOrder: isOn })
    try {
      await clientDirectory.flagRegion(isOn)
    } catch (error) {
      const done = isOn ? 'refuses every call' : 'serves again'
      const hint = `${region} ${done}, but the directory did not hear of it; repeat the command once it is back`
      throw new Error(hint, { cause: error })
    }
    return isOn ? `${region} is out of order` : `${region} is in order again`
  },
}
