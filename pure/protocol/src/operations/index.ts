import type { Operation } from '../operation.ts'
import * as accountSecurity from './account-security.ts'
import * as accountSessions from './account-sessions.ts'
import * as account from './account.ts'
import * as audit from './audit.ts'
import * as authorize from './authorize.ts'
import * as changes from './changes.ts'
import * as clients from './clients.ts'
import * as companyConnections from './company-connections.ts'
import * as companyData from './company-data.ts'
import * as connectRequests from './connect-requests.ts'
import * as connections from './connections.ts'
import * as contactData from './contact-data.ts'
import * as customerDocuments from './customer-documents.ts'
import * as customerFlowRuns from './customer-flow-runs.ts'
import * as customerMessages from './customer-messages.ts'
import * as customerTwofa from './customer-twofa.ts'
import * as delegates from './delegates.ts'
import * as devices from './devices.ts'
import * as documents from './documents.ts'
import * as flowAssets from './flow-assets.ts'
import * as flowAuthoring from './flow-authoring.ts'
import * as flowExchange from './flow-exchange.ts'
import * as flowGeneration from './flow-generation.ts'
import * as flowLinks from './flow-links.ts'
import * as flowRuns from './flow-runs.ts'
import * as flowSigning from './flow-signing.ts'
import * as flows from './flows.ts'
import * as frontDoor from './front-door.ts'
import * as keys from './keys.ts'
import * as logs from './logs.ts'
import * as messages from './messages.ts'
import * as oauthApps from './oauth-apps.ts'
import * as oauth from './oauth.ts'
import * as photos from './photos.ts'
import * as plugins from './plugins.ts'
import * as portalRecords from './portal-records.ts'
import * as portal from './portal.ts'
import * as recovery from './recovery.ts'
import * as reference from './reference.ts'
import * as registry from './registry.ts'
import * as requestFields from './request-fields.ts'
import * as runPasses from './run-passes.ts'
import * as services from './services.ts'
import * as session from './session.ts'
import * as shareConfig from './share-config.ts'
import * as trustedDevices from './trusted-devices.ts'
import * as twofa from './twofa.ts'
import * as verifications from './verifications.ts'
import * as webhookCommands from './webhook-commands.ts'
import * as webhooks from './webhooks.ts'

/** Every route of the installation. A new operation is listed once its file here exports it. */
export const allOperations: readonly Operation[] = [
  recovery,
  delegates,
  audit,
  clients,
  oauthApps,
  account,
  accountSecurity,
  accountSessions,
  trustedDevices,
  registry,
  photos,
  contactData,
  verifications,
  companyConnections,
  connectRequests,
  services,
  requestFields,
  shareConfig,
  logs,
  webhooks,
  webhookCommands,
  companyData,
  changes,
  connections,
  keys,
  frontDoor,
  oauth,
  authorize,
  reference,
  session,
  documents,
  customerDocuments,
  messages,
  customerMessages,
  devices,
  twofa,
  customerTwofa,
  flowAuthoring,
  flowAssets,
  flowExchange,
  flows,
  flowRuns,
  runPasses,
  customerFlowRuns,
  flowLinks,
  flowGeneration,
  flowSigning,
  portalRecords,
  plugins,
  portal,
].flatMap(operationsOf)

function operationsOf(file: Readonly<Record<string, unknown>>): readonly Operation[] {
  return Object.values(file).filter(isOperation)
}

/** Files of operations also export the schemas they are made of. */
function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'success' in value
}
