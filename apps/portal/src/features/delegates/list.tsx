import { ButtonLink, Empty, formatDay, useLanguage } from '@sealpost/ui'
import { type Column, DeskPage, Status, Table } from '@sealpost/ui/desk'
import { nowMs, Problem } from '@sealpost/web-app'
import { UserPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { DelegateView } from '../../worker/commands/delegates.ts'

/** Who else works for the company, on what. */
export default function Delegates(): ReactNode {
  const words = useWords().delegates
  const delegates = useRead('listDelegates', 'delegates')
  const columns = useColumns()
  const add = (
    <ButtonLink look="main" icon={<UserPlus size={16} aria-hidden />} href={href('newDelegate')}>
      {words.add}
    </ButtonLink>
  )
  const isEmpty = delegates.state === 'ready' && delegates.value.length === 0
  return (
    <DeskPage title={words.title} lead={words.lead} acts={isEmpty ? undefined : add}>
      {delegates.state === 'failed' ? (
        <Problem failure={delegates.failure} onAgain={delegates.again} />
      ) : (
        <Table<DelegateView>
          label={words.title}
          columns={columns}
          rows={delegates.state === 'ready' ? delegates.value : null}
          keyOf={({ id }) => id}
          nameOf={({ name, code }) => name ?? code}
          hrefOf={({ id }) => href('delegate', { delegate: id })}
          empty={<Empty act={add}>{words.empty}</Empty>}
        />
      )}
    </DeskPage>
  )
}

function useColumns(): readonly Column<DelegateView>[] {
  const words = useWords().delegates
  const { language } = useLanguage()
  return [
    { key: 'name', title: words.name, cell: ({ name }) => name ?? words.unnamed },
    { key: 'code', title: words.code, width: 'medium', cell: ({ code }) => <code translate="no">{code}</code> },
    { key: 'role', title: words.role, width: 'medium', cell: ({ role }) => words.roles[role] },
    {
      key: 'services',
      title: words.services,
      width: 'medium',
      cell: ({ services }) => (services.length === 0 ? words.noServices : words.countOfServices(services.length)),
    },
    { key: 'keys', title: words.keys, width: 'medium', cell: (delegate) => <KeysOf {...delegate} /> },
    {
      key: 'since',
      title: words.since,
      width: 'medium',
      cell: ({ createdAt }) => formatDay(language, createdAt, nowMs()),
    },
  ]
}

/** An admin waits for the keys that are missing. */
function KeysOf({ role, services, keyed }: DelegateView): ReactNode {
  const words = useWords().delegates
  if (role === 'operator' || services.length === 0) return '–'
  const text = words.countOfKeys(keyed.length, services.length)
  return keyed.length < services.length ? <Status kind="waits">{text}</Status> : text
}
