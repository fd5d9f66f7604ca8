import { Button, Empty, Notice, Quiet } from '@sealpost/ui'
import { CodeBlock, DeskSection, SecretOnce } from '@sealpost/ui/desk'
import { Problem, Shown, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import type { PageProps } from '../../../shell/app.tsx'
import { call, useRead } from '../../../shell/worker.ts'
import { useWords } from '../../../words/index.ts'
import type { DataClientView } from '../../../worker/commands/data-client.ts'
import { Recover } from '../../keys/recover.tsx'
import { ServicePage } from '../service-page.tsx'
import { DeleteClient } from './delete-client.tsx'
import { RedirectUri } from './redirect-uri.tsx'
import { snippetOf } from './snippet.ts'

/** How systems of the company read what customers give: the client of the service, and a program that works. */
export default function ApiAccessPage({ params }: PageProps): ReactNode {
  const words = useWords().api
  const serviceId = params['service'] ?? ''
  const access = useRead('readApiAccess', 'services', serviceId)
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <ServicePage serviceId={serviceId} here="api" lead={words.lead}>
      {() => (
        <Shown of={access}>
          {({ client, frontDoorUrl }) =>
            client === null ? (
              <Register serviceId={serviceId} onSecret={setSecret} />
            ) : (
              <>
                {secret === null ? null : <Secret secret={secret} onStored={() => setSecret(null)} />}
                <CodeBlock title={words.clientId} code={client.clientId} />
                <DeskSection title={words.snippetTitle}>
                  <Quiet>{words.snippetLead}</Quiet>
                  <CodeBlock title={words.snippetName} code={snippetOf(frontDoorUrl, client.clientId)} />
                </DeskSection>
                <SecretActs serviceId={serviceId} client={client} onSecret={setSecret} />
                <RedirectUri serviceId={serviceId} redirectUri={client.redirectUri} />
                <DeleteClient serviceId={serviceId} />
              </>
            )
          }
        </Shown>
      )}
    </ServicePage>
  )
}

function Register({
  serviceId,
  onSecret,
}: {
  readonly serviceId: string
  readonly onSecret: (secret: string | null) => void
}): ReactNode {
  const words = useWords().api
  const act = useAct()
  const register = async (): Promise<void> => {
    await act.run(async () => onSecret((await call('createDataClient', serviceId)).secret))
  }
  return (
    <>
      <Problem failure={act.failure} />
      <Empty
        act={
          <Button look="main" busy={act.isBusy ? words.registering : null} onClick={() => void register()}>
            {words.register}
          </Button>
        }
      >
        {words.none}
      </Empty>
    </>
  )
}

function Secret({ secret, onStored }: { readonly secret: string; readonly onStored: () => void }): ReactNode {
  const words = useWords().api
  return (
    <DeskSection title={words.secret}>
      <Notice kind="wait" what={words.once} next={words.onceNext} />
      <SecretOnce label={words.secret} secret={secret} />
      <div>
        <Button look="main" onClick={onStored}>
          {words.stored}
        </Button>
      </div>
    </DeskSection>
  )
}

/** What can be done about the secret: replaced, or brought back. */
function SecretActs({
  serviceId,
  client,
  onSecret,
}: {
  readonly serviceId: string
  readonly client: DataClientView
  readonly onSecret: (secret: string | null) => void
}): ReactNode {
  const words = useWords().api
  const { copyId } = client
  const act = useAct()
  const replace = async (): Promise<void> => {
    await act.run(async () => onSecret((await call('replaceClientSecret', serviceId)).secret))
  }
  return (
    <>
      <DeskSection title={words.replaceTitle}>
        <Quiet>{words.replaceLead}</Quiet>
        <Problem failure={act.failure} />
        <div>
          <Button busy={act.isBusy ? words.replacing : null} onClick={() => void replace()}>
            {words.replace}
          </Button>
        </div>
      </DeskSection>
      {copyId === null ? null : (
        <DeskSection title={words.recoverTitle}>
          <Quiet>{words.recoverLead}</Quiet>
          <Recover
            label={words.secret}
            texts={words.recovered}
            onOpen={async (code, password) => (await call('recoverClientSecret', { copyId, code, password })).secret}
          />
        </DeskSection>
      )}
    </>
  )
}
