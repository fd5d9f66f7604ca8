import type { KeyPins } from '../keys/pins.ts'
import { UntrustedAnswerError } from '../untrusted.ts'
import type { FlowRun } from './run.ts'

/** Who takes part in a run never changes, so the server cannot add a reader to a run that this client knows. */
export async function pinParties(
  pins: KeyPins,
  { id, bindings, company_user_id: companyId }: Pick<FlowRun, 'id' | 'bindings' | 'company_user_id'>,
): Promise<void> {
  const subject = `run ${id}`
  if (!Object.values(bindings).includes(companyId)) throw new UntrustedAnswerError('run_parties', subject)
  const name = `run:${id}`
  const parties = Object.entries(bindings).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const shown = JSON.stringify([companyId, parties])
  const known = await pins.get(name)
  if (known === undefined) await pins.set(name, shown)
  else if (known !== shown) throw new UntrustedAnswerError('run_parties', subject)
}
