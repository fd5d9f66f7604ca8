import type { Examples } from './example.ts'
import { accountExamples } from './examples/account.ts'
import { clientExamples } from './examples/clients.ts'
import { companyConnectionExamples } from './examples/company-connections.ts'
import { connectionExamples } from './examples/connections.ts'
import { deviceExamples } from './examples/devices.ts'
import { documentExamples } from './examples/documents.ts'
import { flowGenerationExamples } from './examples/flow-generation.ts'
import { flowLinkExamples } from './examples/flow-links.ts'
import { flowRunExamples } from './examples/flow-runs.ts'
import { flowExamples } from './examples/flows.ts'
import { messageExamples } from './examples/messages.ts'
import { oauthExamples } from './examples/oauth.ts'
import { pluginExamples } from './examples/plugins.ts'
import { registryExamples } from './examples/registry.ts'
import { securityExamples } from './examples/security.ts'
import { serviceExamples } from './examples/services.ts'
import { sessionExamples } from './examples/session.ts'
import { twofaExamples } from './examples/twofa.ts'
import { vaultExamples } from './examples/vault.ts'
import { webhookExamples } from './examples/webhooks.ts'

/** One request per route that has a body or ids in its path. */
export const EXAMPLES: Examples = {
  ...pluginExamples,
  ...deviceExamples,
  ...twofaExamples,
  ...flowExamples,
  ...flowGenerationExamples,
  ...flowLinkExamples,
  ...flowRunExamples,
  ...messageExamples,
  ...documentExamples,
  ...accountExamples,
  ...clientExamples,
  ...companyConnectionExamples,
  ...connectionExamples,
  ...oauthExamples,
  ...registryExamples,
  ...securityExamples,
  ...serviceExamples,
  ...sessionExamples,
  ...vaultExamples,
  ...webhookExamples,
}
