/** One monitor, one store and one gateway: the smallest Ceph that speaks S3. */
export interface CephSite {
  readonly folder: string
  readonly monitorPort: number
  readonly gatewayPort: number
  /** `memory` starts faster and forgets everything when it is killed. */
  readonly store: 'memory' | 'disk'
}

/** Paths are relative to the site's folder. What the short intervals buy: the gateway answers after about 2 s instead of 14. */
export function cephConfig({ monitorPort, gatewayPort, store }: CephSite, id: string): string {
  return `[global]
fsid = ${id}
mon host = [v2:127.0.0.1:${monitorPort}]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
ms bind msgr1 = false
# With authentication off the gateway hangs for minutes at its start.
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
keyring = keyring
run dir = .
admin socket =
log file = log/$name.log
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
mon max pg per osd = 2000

[mon]
mon data = monitor
mon initial members = a
mon data avail crit = 1
mon cluster log file = log/cluster.log
auth allow insecure global id reclaim = false
paxos propose interval = 0.05
paxos min wait = 0.01

[osd]
osd data = store
osd heartbeat interval = 1
osd memory target = 939524096
osd max object name len = 256
${STORES[store]}

[client.rgw]
rgw data = gateway
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort} tcp_nodelay=1
rgw dns name = 127.0.0.1
rgw thread pool size = 32
rgw enable usage log = false
# After a restart the gateway first asks the store's old address; this is how soon it looks for the new one (15 s else).
objecter timeout = 1
objecter tick interval = 0.5
`
}

const STORES = {
  memory: 'osd objectstore = memstore\nmemstore device bytes = 2147483648',
  disk: 'osd objectstore = bluestore\nbluestore block size = 8589934592\nbluestore block create = true',
} satisfies Record<CephSite['store'], string>
