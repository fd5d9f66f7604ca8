import { Bullets, Button, formatWhen, Notice, Quiet, Row, Rows, useLanguage } from '@sealpost/ui'
import { DeskSection, Status } from '@sealpost/ui/desk'
import { nowMs, Shown } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import type { PageProps } from '../../shell/app.tsx'
import { call, useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { KeyCopies } from '../../worker/commands/service-key.ts'
import { ServicePage } from '../services/service-page.tsx'
import { Fingerprint } from './fingerprint.tsx'
import { KeyLoader } from './key-loader.tsx'
import { PassphraseForm } from './passphrase-form.tsx'
import { Recovery } from './recovery.tsx'

/** Which copies of the key and its passphrase there are, and for whom. */
export default function ServiceKeyPage({ params }: PageProps): ReactNode {
  const words = useWords().serviceKey
  const serviceId = params['service'] ?? ''
  const copies = useRead('readKeyCopies', 'key', serviceId)
  const key = useRead('serviceKeyState', 'key')
  const isOpen = key.state === 'ready' && key.value?.serviceId === serviceId
  return (
    <ServicePage serviceId={serviceId} here="key" lead={words.pageLead}>
      {() => (
        <>
          <Here serviceId={serviceId} />
          <DeskSection title={words.copies.title}>
            <Shown of={copies}>{(read) => <Copies copies={read} isOpen={isOpen} />}</Shown>
          </DeskSection>
          <DeskSection title={words.test.title}>
            <Quiet>{words.test.lead}</Quiet>
            <PassphraseForm
              act={words.test.act}
              busy={words.busy}
              onPassphrase={(passphrase) => call('tryPassphrase', { serviceId, passphrase })}
              done={<Notice what={words.test.opens} next={words.test.opensNext} />}
            />
          </DeskSection>
          {copies.state === 'ready' ? <Recovery serviceId={serviceId} copies={copies.value} /> : null}
        </>
      )}
    </ServicePage>
  )
}

/** Whether the key is open in this browser. */
function Here({ serviceId }: { readonly serviceId: string }): ReactNode {
  const words = useWords().serviceKey
  const key = useRead('serviceKeyState', 'key')
  return (
    <Shown of={key}>
      {(open) =>
        open?.serviceId === serviceId ? (
          <DeskSection
            title={words.opened}
            acts={<Button onClick={() => void call('forgetServiceKey')}>{words.close}</Button>}
          >
            <Fingerprint of={open.fingerprint} />
          </DeskSection>
        ) : (
          <KeyLoader serviceId={serviceId} />
        )
      }
    </Shown>
  )
}

function Copies({
  copies: { recovery, delegates, fingerprint },
  isOpen,
}: {
  readonly copies: KeyCopies
  readonly isOpen: boolean
}): ReactNode {
  const words = useWords().serviceKey.copies
  const { language } = useLanguage()
  return (
    <>
      <Rows label={words.title}>
        <Row name={words.platform} about={words.platformAbout} end={<Status kind="calm">{words.sealed}</Status>} />
        <Row
          name={words.recovery}
          about={
            recovery === null
              ? words.noRecovery
              : words.recoveryAbout(formatWhen(language, recovery.createdAt, nowMs()))
          }
          end={
            recovery === null ? <Status kind="waits">{words.none}</Status> : <Status kind="calm">{words.kept}</Status>
          }
        />
        {delegates.map(({ id, shareCode, hasKey }) => (
          <Row
            key={id}
            name={words.delegate(shareCode)}
            about={hasKey ? words.delegateHas : words.delegateHasNot}
            end={<Status kind="calm">{hasKey ? words.handed : words.none}</Status>}
          />
        ))}
        <Row name={words.own} about={words.ownAbout} end={<Status kind="calm">{words.unknown}</Status>} />
      </Rows>
      {delegates.some(({ hasKey }) => hasKey) ? <Bullets items={[words.stays]} /> : null}
      {isOpen ? null : fingerprint === null ? <Quiet>{words.notKnown}</Quiet> : <Fingerprint of={fingerprint} />}
    </>
  )
}
