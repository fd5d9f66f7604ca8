import type { FlowNode } from '@sealpost/flow'
import { findAccount } from '../../../account/index.ts'
import type { ServiceSideContext } from '../../service-side/context.ts'
import type { StoredRun } from '../../service-side/model.ts'

const DEFAULT_LANGUAGE = 'en'

/** The language of the profile of the language party, as it is now: in the region where the party lives. */
export async function readLanguage(
  { database, messages }: ServiceSideContext,
  run: StoredRun,
  { language_party: key }: FlowNode,
): Promise<string> {
  const party = run.parties.find(({ partyKey }) => partyKey === key)
  if (party === undefined) return DEFAULT_LANGUAGE
  const { userId, customer } = party
  const language =
    customer === null
      ? (await database.read((read) => findAccount(read, userId)))?.language
      : await messages.askForLanguage(run, { userId, customer })
  return language ?? DEFAULT_LANGUAGE
}
