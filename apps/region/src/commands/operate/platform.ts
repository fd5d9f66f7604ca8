import { turnSwitches } from '../../modules/access/index.ts'
import { type OperatorCommand, readOnOff } from './command.ts'

/** When it has answered, every process of the region refuses writes, or accepts them again. */
export const pauseWrites: OperatorCommand = {
  takes: 'on|off',
  about: 'refuses writes with db.writes_paused; reads, logins and tokens are served',
  async run({ platform: { database, clock, region } }, args) {
    const writesPaused = readOnOff(args)
    await turnSwitches({ database, clock }, { writesPaused })
    return writesPaused ? `${region} writes nothing until the pause is turned off` : `${region} accepts writes again`
  },
}

/**
 * The region's own processes first, then the directory: in the opposite order a failure in between would list a region
 * as out of order that is still served. Both steps can be repeated.
 */
export const outOfOrder: OperatorCommand = {
  takes: 'on|off',
  about:
    'refuses every call with platform.out_of_order while the region is being rebuilt; /api/regions lists it as such',
  async run({ platform: { database, clock, region }, modules }, args) {
    const isOn = readOnOff(args)
    await turnSwitches({ database, clock }, { outOfOrder: isOn })
    try {
      await modules.access.directory.flagRegion(isOn)
    } catch (error) {
      const done = isOn ? 'refuses every call' : 'serves again'
      const hint = `${region} ${done}, but the directory could not be reached; repeat the command once it is back`
      throw new Error(hint, { cause: error })
    }
    return isOn ? `${region} is out of order` : `${region} is in order again`
  },
}
