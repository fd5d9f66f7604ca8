import { streamName } from '../carrier/streams.ts'
import { carrierOfLink, forwarderAsks, type Link, linksBetween, type Party } from '../parties.ts'
import { inboxPrefix, subjectsOf } from '../subjects.ts'

/** Everything that a party may do at the NATS of one region. */
export interface Permissions {
  readonly publish: readonly string[]
  readonly subscribe: readonly string[]
  /** Once, to the reply subject of each request that it has received. */
  readonly mayRespond: boolean
}

/**
 * A party speaks as itself and hears what is addressed to it. At the NATS of a region, that region is one end of every
 * message, and the only one to create and delete streams.
 */
export function permissionsOf(party: Party, region: Party, parties: readonly Party[]): Permissions {
  const links = linksBetween(parties)
  const here = [...links, ...forwarderAsks(parties)].flatMap(subjectsOf).filter(({ at }) => at === region)
  const heard = here.filter(({ listener }) => listener === party)
  return {
    publish: [
      ...here.filter(({ speaker }) => speaker === party).map(({ subject }) => subject),
      ...links.filter((link) => carrierOfLink(link) === region).flatMap((link) => streamSubjects(party, region, link)),
    ],
    subscribe: [...heard.map(({ subject }) => subject), `${inboxPrefix(party)}.>`],
    mayRespond: heard.some(({ isAnswered }) => isAnswered),
  }
}

function streamSubjects(party: Party, region: Party, link: Link): readonly string[] {
  const { owning, reading, watching } = streamApi(link)
  return [
    ...(party === region ? owning : []),
    ...(party === link.source || party === link.target ? watching : []),
    ...(party === link.target ? reading : []),
  ]
}

/** The subjects of JetStream that a link needs; deletion is for `npm run reset` and for operators. */
export function streamApi(link: Link): Readonly<Record<'owning' | 'watching' | 'reading', readonly string[]>> {
  const stream = streamName(link)
  const consumer = `${stream}.${link.target}`
  return {
    owning: [
      `$JS.API.STREAM.CREATE.${stream}`,
      `$JS.API.STREAM.DELETE.${stream}`,
      `$JS.API.CONSUMER.CREATE.${consumer}`,
    ],
    watching: [`$JS.API.CONSUMER.INFO.${consumer}`],
    reading: [`$JS.API.CONSUMER.MSG.NEXT.${consumer}`, `$JS.ACK.${consumer}.>`],
  }
}
