import { bodyOf } from '@sealpost/testkit'
import { RUNS } from '../../modules/runs/testing/runs.ts'
import { type EndingName, endingNames } from '../endings.ts'
import { openShop, type Setting, type Shop, type World } from './shop.ts'
import { openStage, type Stage } from './stage.ts'

const DAY_MS = 86_400_000

/** These need a clock of their own. */
export const endingsByTime = ['level_lowered', 'aged', 'long_closed'] as const satisfies readonly EndingName[]
export const endingsAtOnce: readonly EndingName[] = endingNames.filter(
  (name) => !endingsByTime.some((one) => one === name),
)

/** These are refused while a contract is open. */
const NEED_NO_CONTRACT: readonly EndingName[] = ['disconnected', 'dismissed', 'service_deleted', 'long_closed']
/** These end one connection or less, so they share a company. */
const OF_ONE_CUSTOMER: readonly EndingName[] = ['run_cancelled', 'disconnected', 'dismissed']

/** Opens the fixture of an ending. */
export function stageFor(world: World, setting: Setting): (ending: EndingName) => Promise<Stage> {
  let shared: Promise<Shop> | null = null
  return async (ending) => {
    const isShared = OF_ONE_CUSTOMER.includes(ending)
    const shop = isShared ? (shared ??= openShop(world, setting)) : openShop(world, setting)
    const stage = await openStage(await shop, { hasOpenContract: !NEED_NO_CONTRACT.includes(ending) })
    if (ending === 'long_closed') await disconnect(stage)
    return stage
  }
}

/** Carries an ending out as its caller does: by a route, by an operator's command, or by letting days pass. */
export const carryOut: Readonly<Record<EndingName, (stage: Stage) => Promise<unknown>>> = {
  run_cancelled: ({ service, ids }) => bodyOf(service.data('POST', `${RUNS}/${ids['open']}/cancel`)),
  disconnected: disconnect,
  dismissed: ({ service, connectionId }) =>
    bodyOf(service.data('DELETE', `/api/company-data/connections/${connectionId}`), 204),
  async customer_erased({ customer, visitor }) {
    await customer.erase()
    await visitor.erase()
  },
  service_deleted: ({ service }) => bodyOf(service.portal('DELETE', service.path), 204),
  company_erased: ({ company }) => company.erase(),
  async level_lowered({ world, company }) {
    await company.setLevel('free')
    await world.passDays(8 * DAY_MS)
  },
  aged: ({ world }) => world.passDays(8 * DAY_MS),
  long_closed: ({ world }) => world.passDays(8 * DAY_MS),
}

function disconnect({ customer, connectionId }: Stage) {
  return bodyOf(customer.calls('DELETE', `/api/company-connections/${connectionId}`), 204)
}
