import type { OutputOf } from '@sealpost/web-app'
import type { AskedView, ConnectionView } from '../../worker/commands/connections.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import type { RunRow } from '../../worker/commands/flows.ts'
import type { PaperView } from '../../worker/commands/papers.ts'
import type { CommandName, Commands } from '../worker.ts'

const AT = '2026-03-09T10:00:00Z'
const CONNECTION = 'c1'
const party = { companyId: 'k1', companyName: 'Northwind', serviceName: 'Intake' }
const text = { type: 'text', input: 'text', isFile: false, options: [], entries: [] }

const field: FieldView = {
  id: 'f1',
  slug: 'phone',
  label: 'Phone',
  isOwn: false,
  type: text,
  provenBy: 'sms',
  value: { text: '+46 70 123', isPrivate: true, updatedAt: AT, verifiedAt: null, isOpened: true },
}

const asked: AskedView = {
  id: 'r1',
  slug: 'phone',
  label: 'Phone',
  type: text,
  isOneTime: false,
  isNeeded: true,
  wantsVerified: false,
  fits: [field.id],
  suggested: field.id,
  given: { isLive: true, fieldId: field.id, typed: null, since: AT },
  isPending: false,
  isDeclined: false,
}

const connection: ConnectionView = {
  ...party,
  id: CONNECTION,
  code: 'NRTHWD/INTAKE',
  connectedAt: AT,
  asked: [asked, { ...asked, id: 'r2', slug: 'size', label: 'Size', given: null, isPending: true }],
  card: [{ label: 'Web', value: 'northwind.example' }],
}

const paper: PaperView = {
  id: 'p1',
  connectionId: CONNECTION,
  party,
  name: 'Agreement',
  description: null,
  kind: 'agreement',
  status: 'ready_to_sign',
  isFile: true,
  isMade: false,
  isContract: true,
  isBroadcast: false,
  isPrivate: false,
  contentSha256: 'ab',
  createdAt: AT,
  updatedAt: AT,
  sealedAt: null,
  endsOn: null,
  canCancel: false,
  noticeDays: 0,
  terms: { plan: null, price: null, renews: null, renewsOn: null, validUntil: null },
  acts: [],
  line: null,
}

const run: RunRow = {
  ...party,
  runId: 'n1',
  connectionId: CONNECTION,
  title: 'Sign up',
  state: { kind: 'your_turn' },
  updatedAt: AT,
}

/** What each reading command answers for an account that is in use. A page that reads something new needs a line here. */
export const samples: { readonly [Name in CommandName]?: OutputOf<Commands, Name> } = {
  sessionState: {
    state: 'open',
    email: 'mara@example.com',
    displayName: 'Mara Lind',
    shareCode: 'SWEDSESS',
    region: 'eu1',
    unlock: 'passcode',
    hasPassword: true,
  },
  listRegions: [],
  listFields: [field, { ...field, id: 'f2', slug: 'email', label: 'E-mail', value: null }],
  listOwnTypes: [text],
  listConnections: [connection],
  readConnection: connection,
  listInvitations: [{ ...party, id: 'i1', code: 'NRTHWD/INTAKE', message: null, createdAt: AT }],
  lookUpService: { ...party, code: 'NRTHWD/INTAKE', needsSecondFactor: true, isForCompanies: false, asked: [asked] },
  listPapers: [paper],
  listWaitingPapers: [paper],
  readPaper: paper,
  listThreads: [
    {
      ...party,
      connectionId: CONNECTION,
      unread: 1,
      newest: { text: 'Ten o’clock.', isOwn: false, at: AT },
      hasDraft: false,
      outgoing: 0,
    },
  ],
  readThread: {
    ...party,
    messages: [{ id: 'm1', isOwn: true, isBroadcast: false, text: 'Ten o’clock.', at: AT, readAt: AT }],
    hasEarlier: false,
    arrived: [],
  },
  readOutgoing: [],
  listRuns: [run],
  readRun: { ...run, makesDocuments: false, parties: [], answers: [], line: [] },
  listCards: [],
  listEnrollments: [{ ...party, serviceId: 's1', since: AT }],
  listDevices: [{ id: 'd1', kind: 'passkey', name: 'Chrome, Linux', createdAt: AT, lastSeenAt: AT, isThis: true }],
  listSessions: [
    { id: 's1', app: 'person_app', device: 'Chrome, Linux', network: '192.0.2.0/24', lastUsedAt: AT, isThis: true },
  ],
  readConsent: {
    appName: 'Booking',
    companyName: 'Northwind',
    serviceName: 'Intake',
    partyId: 'k1',
    mode: 'connect',
    isDetached: false,
    isConnected: false,
    isEnrolled: false,
    delivery: 'sealed',
    claims: [],
    fields: [asked],
    challenge: 'challenge',
    readId: 'o1',
  },
  readConfirmation: { kind: 'passcode' },
  readPush: { state: 'off', applicationServerKey: 'key' },
}
