import { expect, test } from 'vitest'
import { networkOf, networksOf, toPlainAddress } from './caller-address.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1:2:3:4', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
])('%s belongs to %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('an IPv6 address also belongs to wider networks, which get higher limits', () => {
  expect(networksOf('2001:db8:1:23ff::9')).toEqual([
    { name: '2001:db8:1:23ff::/64', scale: 1 },
    { name: '2001:db8:1:2300::/56', scale: 4 },
    { name: '2001:db8:1:0::/48', scale: 16 },
  ])
  expect(networksOf('192.0.2.7')).toEqual([{ name: '192.0.2.7', scale: 1 }])
  expect(networksOf('::FFFF:192.0.2.7')).toEqual([{ name: '192.0.2.7', scale: 1 }])
})

test.each([
  ['::ffff:9.8.7.5', '9.8.7.5'],
  ['::ffff:908:705', '9.8.7.5'],
  ['::FFFF:0908:0705', '9.8.7.5'],
  ['0:0:0:0:0:ffff:9.8.7.5', '9.8.7.5'],
  ['0000:0000:0000:0000:0000:ffff:0908:0705', '9.8.7.5'],
  ['::ffff:0:0', '0.0.0.0'],
  ['::ffff:ffff:ffff', '255.255.255.255'],
  ['9.8.7.5', '9.8.7.5'],
  // Not mapped: one group too many, or in another place.
  ['::ffff:0:9.8.7.5', '::ffff:0:9.8.7.5'],
  ['1::ffff:908:705', '1::ffff:908:705'],
  ['2001:db8:ffff::1', '2001:db8:ffff::1'],
  ['::ffff:999.8.7.5', '::ffff:999.8.7.5'],
  ['unknown', 'unknown'],
])('%s is %s', (address, plain) => {
  expect(toPlainAddress(address)).toBe(plain)
})
