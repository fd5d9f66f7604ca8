import { Bullets, formatDate, formatTime, Notice, Section, useLanguage } from '@sealpost/ui'
import { ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWords } from '../../words/index.ts'
import type { SealView } from '../../worker/commands/papers.ts'
import classes from './paper.module.css'

/** What this device found out about the seal: quiet where it is good. */
export function SealShown({ seal }: { readonly seal: SealView }): ReactNode {
  const words = useWords().papers.seal
  const problems = seal.problems.filter((problem) => problem !== 'no_roots')
  if (problems.length > 0)
    return (
      <Section title={words.title}>
        <Notice
          kind="bad"
          what={words.bad}
          next={words.badNext}
          act={<Bullets items={problems.map((problem) => words.problems[problem])} />}
        />
      </Section>
    )
  if (!seal.isValid) return <Notice kind="wait" what={words.unjudged} />
  return <Good seal={seal} />
}

function Good({ seal }: { readonly seal: SealView }): ReactNode {
  const words = useWords().papers.seal
  const { language } = useLanguage()
  const { sealedBy, sealedAt, timeBy } = seal
  const when =
    sealedAt === null ? null : `${formatDate(language, sealedAt.slice(0, 10))}, ${formatTime(language, sealedAt)}`
  const facts = [
    words.by(sealedBy ?? words.unnamed),
    when === null ? null : words.at(when),
    timeBy === null ? null : words.time(timeBy),
  ].filter((fact) => fact !== null)
  return (
    <section className={classes.seal} aria-label={words.title}>
      <ShieldCheck size={24} strokeWidth={1.75} aria-hidden />
      <div>
        <p>{words.valid}</p>
        <p className={classes.facts}>{facts.join(' · ')}</p>
      </div>
    </section>
  )
}
