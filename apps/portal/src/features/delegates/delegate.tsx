import { Bullets, Button, ButtonLink, Form, navigate, Notice, Quiet, TearOff, Unseen } from '@sealpost/ui'
import { type Column, DeskPage, DeskSection, Status, Table, useToast } from '@sealpost/ui/desk'
import { Problem, Shown, together, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { call, useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { DelegateView, DelegateWish } from '../../worker/commands/delegates.ts'
import type { ServiceView } from '../../worker/commands/services.ts'
import { Fingerprint } from './fingerprint.tsx'
import { RoleAndServices } from './role-and-services.tsx'
import classes from './delegates.module.css'

/** One delegate: role, services, keys, and the end of it. */
export default function Delegate({ params }: PageProps): ReactNode {
  const words = useWords().delegates
  const id = params['delegate'] ?? ''
  const delegate = useRead('readDelegate', 'delegates', id)
  const services = useRead('listServices', 'services')
  const shown = delegate.state === 'ready' ? delegate.value : null
  return (
    <DeskPage
      title={shown === null ? words.name : (shown.name ?? shown.code)}
      crumbs={[{ href: href('delegates'), name: words.title }]}
      facts={shown === null ? [] : [words.roles[shown.role], <code key="code">{shown.code}</code>]}
    >
      <Shown of={together({ delegate, services })}>
        {(read) => (
          <>
            <div className={classes.narrow}>
              <Change key={keyOf(read.delegate)} delegate={read.delegate} all={read.services} />
            </div>
            <Keys delegate={read.delegate} all={read.services} />
            <Remove id={read.delegate.id} />
          </>
        )}
      </Shown>
    </DeskPage>
  )
}

interface Props {
  readonly delegate: DelegateView
  readonly all: readonly ServiceView[]
}

/** What is typed begins anew when the delegate was changed elsewhere. */
function keyOf({ role, services }: DelegateView): string {
  return [role, ...services].join(' ')
}

function Change({ delegate, all }: Props): ReactNode {
  const words = useWords().delegates
  const toast = useToast()
  const [wish, setWish] = useState<DelegateWish>({ role: delegate.role, services: delegate.services })
  const act = useAct()
  const lost = all.filter(({ id }) => delegate.keyed.includes(id) && !wish.services.includes(id))
  const change = async (): Promise<void> => {
    const isDone = await act.run(async () => call('changeDelegate', { id: delegate.id, ...wish }))
    if (isDone) toast({ what: words.page.saved })
  }
  return (
    <Form onSend={change}>
      <RoleAndServices wish={wish} all={all} onWish={setWish} />
      {lost.length === 0 ? null : (
        <Notice kind="wait" what={words.page.loses(lost.map(({ name }) => name).join(', '))} />
      )}
      <Problem failure={act.failure} />
      <div>
        <Button type="submit" look="main" busy={act.isBusy ? words.page.busy : null}>
          {words.page.save}
        </Button>
      </div>
    </Form>
  )
}

function Keys({ delegate, all }: Props): ReactNode {
  const words = useWords().delegates.page
  const { fingerprint, role, services } = delegate
  const opened = all.filter(({ id }) => services.includes(id))
  if (role === 'operator') {
    return (
      <DeskSection title={words.keys}>
        <Quiet>{words.keysOfOperator}</Quiet>
      </DeskSection>
    )
  }
  if (fingerprint === null) {
    return (
      <DeskSection title={words.keys}>
        <Notice kind="wait" what={words.noKey} />
      </DeskSection>
    )
  }
  return (
    <DeskSection title={words.keys}>
      <Quiet>{words.keysAbout}</Quiet>
      {opened.length === 0 ? null : <KeyTable delegate={delegate} opened={opened} />}
      <div className={`${classes.key} ${classes.narrow}`}>
        <h3>{words.fingerprint}</h3>
        <Quiet>{words.fingerprintAbout}</Quiet>
        <Fingerprint label={words.fingerprint} of={fingerprint} />
      </div>
    </DeskSection>
  )
}

function KeyTable({ delegate, opened }: { readonly delegate: DelegateView; readonly opened: Props['all'] }): ReactNode {
  const words = useWords().delegates
  const isKeyed = ({ id }: ServiceView): boolean => delegate.keyed.includes(id)
  const columns: readonly Column<ServiceView>[] = [
    { key: 'name', title: words.services, cell: ({ name }) => name },
    {
      key: 'state',
      title: words.keys,
      width: 'medium',
      cell: (service) => (isKeyed(service) ? words.page.keyed : <Status kind="waits">{words.page.notKeyed}</Status>),
    },
    {
      key: 'act',
      title: words.page.act,
      width: 'medium',
      cell: (service) => (
        <ButtonLink href={href('handOver', { delegate: delegate.id, service: service.id })}>
          {isKeyed(service) ? words.page.again : words.page.handOver}
          <Unseen>{service.name}</Unseen>
        </ButtonLink>
      ),
    },
  ]
  return (
    <Table<ServiceView>
      label={words.page.keys}
      columns={columns}
      rows={opened}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      empty={null}
    />
  )
}

function Remove({ id }: { readonly id: string }): ReactNode {
  const words = useWords().delegates.page
  const act = useAct()
  const remove = async (): Promise<void> => {
    const isDone = await act.run(async () => call('removeDelegate', id))
    if (isDone) navigate(href('delegates'))
  }
  return (
    <TearOff
      title={words.remove}
      act={
        <>
          <Problem failure={act.failure} />
          <div>
            <Button look="danger" busy={act.isBusy ? words.removeBusy : null} onClick={() => void remove()}>
              {words.remove}
            </Button>
          </div>
        </>
      }
    >
      <Bullets items={words.follows} />
    </TearOff>
  )
}
