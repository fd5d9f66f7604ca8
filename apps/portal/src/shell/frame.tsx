import { useOpenSession } from '@sealpost/session'
import { useLocation } from '@sealpost/ui'
import { DeskFrame, type MenuItem, Palette, type PaletteItem, type Place, Side, ToastProvider } from '@sealpost/ui/desk'
import { House, Layers, LockKeyhole, ScrollText, Settings, Users } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { href } from '../routes.ts'
import type { Words } from '../words/en/index.ts'
import { useWords } from '../words/index.ts'
import type { CompanyView } from '../worker/commands/acting.ts'
import type { ServiceView } from '../worker/commands/services.ts'
import { type ActingHere, useActing, useMay } from './acting.tsx'
import { useIdleLock } from './use-idle-lock.ts'
import { call, useRead } from './worker.ts'

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Around every page of a company: which one it is, the way to the other pages and companies. */
export function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  useIdleLock()
  const words = useWords().shell
  const session = useOpenSession()
  const acting = useActing()
  const [isFinding, setFinding] = useState(false)
  const { main, account } = usePlaces()
  const companies = useRead('listCompanies', 'acting')
  const others = companies.state === 'ready' ? companyItems(words, companies.value, acting) : []
  const me: readonly MenuItem[] = [
    { name: words.places.settings, icon: <Settings {...ICON} />, href: href('settings') },
    { name: words.lock, icon: <LockKeyhole {...ICON} />, onChoose: () => void call('lock') },
  ]
  const items = [
    ...[...main, ...account].map(({ name, href: to }) => ({ id: to, name, group: words.goTo, href: to })),
    ...[...others, ...me].map((item) => paletteItem(words.act, item)),
  ]
  const role = acting.role === 'owner' ? words.levels[acting.level] : words.roles[acting.role]
  return (
    <ToastProvider>
      <DeskFrame
        side={
          <Side
            company={{ id: acting.shareCode, name: acting.name, about: words.facts(role, acting.region), others }}
            groups={
              account.length === 0 ? [{ places: main }] : [{ places: main }, { title: words.account, places: account }]
            }
            onFind={() => setFinding(true)}
            me={{ name: session.displayName, items: me }}
          />
        }
      >
        {children}
      </DeskFrame>
      <Finder isOpen={isFinding} onOpen={setFinding} items={items} />
    </ToastProvider>
  )
}

/** Only those that the role may open. */
function usePlaces(): { readonly main: readonly Place[]; readonly account: readonly Place[] } {
  const { path } = useLocation()
  const { places } = useWords().shell
  const may = useMay()
  const place = (name: keyof Words['shell']['places'] & Parameters<typeof href>[0], icon: ReactNode): Place => {
    const to = href(name)
    return { href: to, name: places[name], icon, isHere: path === to || (to !== '/' && path.startsWith(`${to}/`)) }
  }
  const main = [place('home', <House {...ICON} />), place('services', <Layers {...ICON} />)]
  if (!may.manageAccount) return { main, account: [] }
  return {
    main,
    account: [place('delegates', <Users {...ICON} />), place('audit', <ScrollText {...ICON} />)],
  }
}

/** Empty where there is nothing to choose. */
function companyItems(
  words: Words['shell'],
  companies: readonly CompanyView[],
  { companyId, switchTo }: ActingHere,
): readonly MenuItem[] {
  if (companies.length < 2) return []
  return companies.map(({ id, name, region, role }) => ({
    name,
    about: words.facts(words.roles[role], region),
    isChosen: id === companyId,
    onChoose: () => {
      if (id !== companyId) switchTo(role === 'owner' ? null : id)
    },
  }))
}

function paletteItem(group: string, { name, about, href: to, onChoose, isChosen }: MenuItem): PaletteItem {
  return {
    id: `${name} ${about ?? ''}`,
    name,
    group,
    ...(about === undefined ? {} : { about }),
    ...(to === undefined ? {} : { href: to }),
    ...(onChoose === undefined || isChosen === true ? {} : { onChoose }),
  }
}

interface FinderProps {
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly items: readonly PaletteItem[]
}

/** The services are read when it opens; without them the pages are still found. */
function Finder({ isOpen, onOpen, items }: FinderProps): ReactNode {
  const words = useWords()
  const [services, setServices] = useState<readonly ServiceView[]>([])
  useEffect(() => {
    if (!isOpen) return
    call('listServices').then(setServices, () => {})
  }, [isOpen])
  const found = services.map(({ id, name, code }) => ({
    id,
    name,
    about: code,
    group: words.services.title,
    href: href('service', { service: id }),
  }))
  return <Palette isOpen={isOpen} onOpen={onOpen} items={[...items, ...found]} />
}
