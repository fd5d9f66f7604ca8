import { AccountClient, type ReadAccountAnswer } from '@sealpost/sdk'
import type { Command, Context } from '../command.ts'
import { cleanAddress } from '../config.ts'
import { columns } from '../help.ts'
import { authorizeElsewhere, authorizeInBrowser } from '../login/authorize.ts'
import { redeemCode, revokeLogin } from '../login/tokens.ts'
import { CliError, UsageError } from '../terminal.ts'

const frontDoor = {
  type: 'string',
  value: 'URL',
  about: 'Address of the front door; the setting front_door by default',
} as const

const login: Command = {
  words: ['login'],
  summary: 'Log in as a company user, in the browser',
  json: 'document',
  about:
    'Opens the sign-in page of the platform; the password is typed there and not in the terminal. The login manages the\n' +
    'services of the company, their webhooks and their data clients, like an account client with service_management. It is\n' +
    'kept in ~/.config/sealpost/login, readable for you only, and ends after 30 days without use, after 90 days, with\n' +
    'sealpost logout, or when the password changes.',
  positionals: [],
  options: {
    'front-door': frontDoor,
    'no-browser': { type: 'boolean', about: 'Sign in on another machine and type the code that the page shows' },
  },
  async run(context, { text, flag }) {
    const door = await frontDoorOf(context, text('front-door'))
    const { profile } = await logIn(context, door, flag('no-browser'))
    const { terminal, isJson } = context
    terminal.print(isJson ? JSON.stringify({ front_door: door, account: profile }) : loginLine(door, profile))
  },
}

const logout: Command = {
  words: ['logout'],
  summary: 'End the login, on the platform and on this machine',
  json: 'document',
  positionals: [],
  options: {
    'front-door': frontDoor,
    forget: { type: 'boolean', about: 'Only forget it on this machine, while the platform cannot be reached' },
  },
  async run(context, { text, flag }) {
    const { logins, terminal, isJson } = context
    const door = cleanAddress(text('front-door') ?? context.frontDoorUrl())
    if ((await logins.find(door)) === null) throw new CliError(`there is no login at ${door}`)
    const isRevoked = !flag('forget')
    await logins.change(door, async (present) => {
      if (present !== null && isRevoked) await revokeLogin(present)
      return null
    })
    const ended = isRevoked ? 'logged out of' : 'forgot the login, which is still valid, at'
    terminal.print(isJson ? JSON.stringify({ front_door: door, revoked: isRevoked }) : `${ended} ${door}`)
  },
}

const whoami: Command = {
  words: ['whoami'],
  summary: 'Print the company and the service that the settings and the login lead to',
  json: 'document',
  positionals: [],
  options: {},
  async run(context) {
    const { terminal, isJson } = context
    const door = context.frontDoorUrl()
    const access = context.accountAccess()
    const hasClient = context.setting('client_id') !== null
    if (access === 'none' && !hasClient) throw new CliError(`not logged in at ${door}: run sealpost login`)
    const account = access === 'none' ? null : await context.account().read()
    const service = hasClient ? await context.service().whoami() : null
    if (isJson) return terminal.print(JSON.stringify({ front_door: door, access, account, service }))
    const rows: (readonly [string, string])[] = [['front door', door]]
    if (account !== null) rows.push(...accountRows(account, access === 'login' ? 'login' : 'account client'))
    if (service !== null) rows.push(['data client', `${context.setting('client_id')} of service ${service.service_id}`])
    for (const line of columns(rows)) terminal.print(line)
  },
}

export const loginCommands: readonly Command[] = [login, logout, whoami]

/** Asks for the address when no setting names it and a user sits at the terminal. */
export async function frontDoorOf(context: Context, given: string | null): Promise<string> {
  const { terminal } = context
  const known = given ?? context.knownFrontDoor()
  const typed = known ?? (terminal.isInteractive ? (await terminal.ask('Address of the front door: ')).trim() : '')
  if (typed === '') return context.frontDoorUrl()
  const url = URL.canParse(typed) ? new URL(typed) : null
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname))
  if (!isSafe) throw new UsageError(`${typed} is not the address of a front door, such as https://api.example.com`)
  return cleanAddress(typed)
}

/** Signs in and keeps the login; an earlier one at the same front door is ended. */
export async function logIn(
  context: Context,
  door: string,
  isElsewhere: boolean,
): Promise<{ readonly client: AccountClient; readonly profile: ReadAccountAnswer }> {
  const { terminal, logins } = context
  const redeemable = await (isElsewhere ? authorizeElsewhere : authorizeInBrowser)(terminal, door)
  const redeemed = await redeemCode(terminal, door, redeemable)
  const { access_token: token, api_url: apiUrl } = redeemed
  const profile = await new AccountClient({ accessToken: () => Promise.resolve({ token, apiUrl }) }).read()
  const fresh = { ...redeemed, account_id: profile.id }
  await logins.change(door, async (earlier) => {
    // The new login is valid, whether or not the earlier one can be ended.
    if (earlier !== null) await revokeLogin(earlier).catch(() => terminal.log('note: the earlier login was not ended'))
    return fresh
  })
  return { client: context.accountOf(fresh), profile }
}

export function loginLine(door: string, { display_name: name, email }: ReadAccountAnswer): string {
  return `logged in at ${door} as ${name} (${email})`
}

function accountRows(account: ReadAccountAnswer, by: string): readonly (readonly [string, string])[] {
  return [
    ['company', `${account.display_name} (${account.id})`],
    ['e-mail', account.email],
    ['code', account.share_code],
    ['level', account.level],
    ['region', account.region],
    ['access by', by],
  ]
}
