import { randomUUID } from 'node:crypto'
import type { ApprovalProgress, LoginApproval } from '@sealpost/sdk'
import type { Command, Context } from '../command.ts'
import { CliError } from '../terminal.ts'

const POLL_SECONDS = 1

export const approveCommand: Command = {
  words: ['approve'],
  summary: 'Ask a person to approve a login, and wait for the answer',
  json: 'lines',
  about:
    'Raises a challenge for a person who has enrolled for the service and waits until it is answered or has expired.\n' +
    'With number matching it prints the two digits that the person types in the app. Exit code 0 means approved, and\n' +
    'nothing else does. With --json it prints a line when the challenge was raised and a line with the outcome.',
  positionals: ['SHARE_CODE'],
  options: {
    context: { type: 'string', value: 'TEXT', about: 'The text of the card: what is logged in to, and from where' },
    'idempotency-key': {
      type: 'string',
      value: 'KEY',
      about: 'Repeated with the same key, the command finds the same challenge; a new one each time by default',
    },
  },
  async run(context, { positionals: [shareCode = ''], text }) {
    const signal = context.terminal.untilInterrupted()
    const approval = await waitForPerson(context, signal, {
      shareCode,
      idempotencyKey: text('idempotency-key') ?? randomUUID(),
      context: text('context'),
    })
    context.terminal.print(context.isJson ? JSON.stringify(outcomeOf(approval)) : wordOf(approval))
    if (!approval.isApproved) throw new CliError('the login was not approved')
  },
}

async function waitForPerson(
  context: Context,
  signal: AbortSignal,
  login: { readonly shareCode: string; readonly idempotencyKey: string; readonly context: string | null },
): Promise<LoginApproval> {
  const onProgress = (step: ApprovalProgress): void => report(context, step)
  try {
    const { twofa } = context.service()
    return await twofa.approveLogin({ ...login, pollSeconds: POLL_SECONDS, onProgress }, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
    throw new CliError('stopped before there was an answer; the card stays with the person until it expires')
  }
}

function report({ terminal, isJson }: Context, step: ApprovalProgress): void {
  if (step.kind === 'no_answer') terminal.log('no answer from the platform; trying again')
  if (step.kind !== 'raised') return
  const { challengeId, expiresAt, matchingDigits } = step
  if (isJson) {
    const digits = matchingDigits === null ? {} : { matching_digits: matchingDigits }
    terminal.print(JSON.stringify({ challenge_id: challengeId, status: 'pending', expires_at: expiresAt, ...digits }))
    return
  }
  if (matchingDigits !== null) terminal.print(`type ${matchingDigits} in the app`)
  terminal.log(`waiting for the person until ${expiresAt}`)
}

function outcomeOf(approval: LoginApproval) {
  const { challengeId } = approval
  if (!approval.isApproved) return { challenge_id: challengeId, status: approval.reason }
  return { challenge_id: challengeId, status: 'approved', completed_at: approval.completedAt }
}

function wordOf(approval: LoginApproval): string {
  return approval.isApproved ? 'approved' : approval.reason
}
