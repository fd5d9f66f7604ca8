import { type Chip, Chips, Empty, navigate, Page, Row, Rows, Seal, Section, useLocation } from '@sealpost/ui'
import { Shown } from '@sealpost/web-app'
import { FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { InboxLinks } from '../../shell/inbox-links.tsx'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { PaperView } from '../../worker/commands/papers.ts'
import { groupOf, groupPapers } from './groups.ts'
import { privacyOf, stateLine } from './paper-state.ts'
import { useDates } from './use-dates.ts'
import classes from './papers.module.css'

const ALL = 'all'

/** Everything that companies have sent, by how it stands. */
export default function Papers(): ReactNode {
  const words = useWords().papers
  const papers = useRead('listPapers', 'papers')
  const waiting = papers.state === 'ready' ? papers.value.filter((paper) => groupOf(paper) === 'waiting').length : null
  return (
    <Page title={words.title} lead={waiting === null ? undefined : words.lead(waiting)}>
      <InboxLinks />
      <Shown of={papers}>{(all) => <Sorted papers={all} />}</Shown>
    </Page>
  )
}

function Sorted({ papers }: { readonly papers: readonly PaperView[] }): ReactNode {
  const words = useWords().papers
  const company = useLocation().query.get('company')
  if (papers.length === 0) return <Empty>{words.empty}</Empty>
  const shown = company === null ? papers : papers.filter(({ party }) => party?.companyId === company)
  return (
    <>
      <Companies papers={papers} shown={company} />
      {groupPapers(shown).map((group) => (
        <Section key={group.name} title={words.groups[group.name]}>
          <Rows label={words.groups[group.name]}>
            {group.papers.map((paper) => (
              <Line key={`${paper.connectionId} ${paper.id}`} paper={paper} />
            ))}
          </Rows>
        </Section>
      ))}
    </>
  )
}

function Line({ paper }: { readonly paper: PaperView }): ReactNode {
  const words = useWords().papers
  const dates = useDates()
  const { party } = paper
  const from = party === null ? words.formerCompany : party.companyName
  return (
    <Row
      start={<Face paper={paper} />}
      name={paper.name}
      about={[from, ...privacyOf(words, paper), stateLine(words, dates, paper)].join(' · ')}
      href={href('paper', { connection: paper.connectionId, paper: paper.id })}
    />
  )
}

function Face({ paper: { party } }: { readonly paper: PaperView }): ReactNode {
  if (party === null) return <FileText className={classes.face} size={24} strokeWidth={1.75} aria-hidden />
  return <Seal name={party.companyName} id={party.companyId} />
}

/** With one company there is nothing to choose. */
function Companies({
  papers,
  shown,
}: {
  readonly papers: readonly PaperView[]
  readonly shown: string | null
}): ReactNode {
  const words = useWords().papers
  const companies = new Map(papers.flatMap(({ party }) => (party === null ? [] : [[party.companyId, party] as const])))
  if (companies.size < 2) return null
  const chips: readonly Chip[] = [
    { id: ALL, name: words.everyone },
    ...[...companies.values()].map(({ companyId, companyName }) => ({
      id: companyId,
      name: companyName,
      face: <Seal name={companyName} id={companyId} size="small" />,
      count: papers.filter(({ party }) => party?.companyId === companyId).length,
    })),
  ]
  return (
    <Chips
      label={words.show}
      chips={chips}
      chosen={shown ?? ALL}
      onChoose={(id) =>
        navigate(id === ALL ? href('papers') : `${href('papers')}?${new URLSearchParams({ company: id }).toString()}`, {
          replace: true,
        })
      }
    />
  )
}
