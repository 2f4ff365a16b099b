import type { XmlResponse } from '../../../packages/embedded-cluster/src/cloud-api/xml.ts';

/** A request as a client made it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** One spelling of an address: parameters in order, without the name that the SDK gives the operation. */
export function pathAndQuery({ path, query = {} }: { path: string; query?: Record<string, string> }): string {
  const parameters = new URLSearchParams(Object.entries(query).sort(([a], [b]) => a.localeCompare(b)));
  return `${path.replace(/\/$/, '')}?${parameters}`;
}

const xml = '<?xml version="1.0" encoding="UTF-8"?>\n';
const route53 = 'xmlns="https://route53.amazonaws.com/doc/2013-04-01/"';
const ec2 = 'xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"';
const changeInfo = (id: string, status: string): string => `
   <ChangeInfo>
      <Comment>A change</Comment>
      <Id>${id}</Id>
      <Status>${status}</Status>
      <SubmittedAt>2017-03-10T01:36:41.958Z</SubmittedAt>
   </ChangeInfo>`;
const getChange =
  (id: string) =>
  (status: string): string =>
    `${xml}<GetChangeResponse ${route53}>${changeInfo(id, status)}\n</GetChangeResponse>`;
const errorResponse = (code: string, message: string): string =>
  `${xml}<ErrorResponse ${route53}>
  <Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>
  <RequestId>b25f48e8-84fd-11e6-80d9-574e0c4664cb</RequestId>
</ErrorResponse>`;

/** Answers in the forms of AWS's API references for EC2 (2016-11-15) and Route 53 (2013-04-01). */
export const answers = {
  describeInstances: `${xml}<DescribeInstancesResponse ${ec2}>
  <requestId>8f7724cf-496f-496e-8fe3-example</requestId>
  <reservationSet>
    <item>
      <reservationId>r-1234567890abcdef0</reservationId>
      <ownerId>123456789012</ownerId>
      <groupSet/>
      <instancesSet>
        <item>
          <instanceId>i-1234567890abcdef0</instanceId>
          <instanceState><code>16</code><name>running</name></instanceState>
          <placement><availabilityZone>us-east-1a</availabilityZone><groupName/><tenancy>default</tenancy></placement>
          <monitoring><state>disabled</state></monitoring>
          <tagSet>
            <item><key>Name</key><value>web &amp; &quot;more&quot;</value></item>
            <item><key>karpenter.sh/nodepool</key><value>general-purpose-arm</value></item>
            <item><key>empty</key><value/></item>
          </tagSet>
        </item>
      </instancesSet>
    </item>
  </reservationSet>
</DescribeInstancesResponse>`,
  terminateInstances: `${xml}<TerminateInstancesResponse ${ec2}>
  <requestId>59dbff89-35bd-4eac-99ed-be587EXAMPLE</requestId>
  <instancesSet>
    <item>
      <instanceId>i-1234567890abcdef0</instanceId>
      <currentState><code>32</code><name>shutting-down</name></currentState>
      <previousState><code>16</code><name>running</name></previousState>
    </item>
  </instancesSet>
</TerminateInstancesResponse>`,
  listHostedZonesByName: `${xml}<ListHostedZonesByNameResponse ${route53}>
   <HostedZones>
      <HostedZone>
         <Id>/hostedzone/Z111111QQQQQQQ</Id>
         <Name>example.com.</Name>
         <CallerReference>MyUniqueIdentifier1</CallerReference>
         <Config><Comment>A zone</Comment><PrivateZone>false</PrivateZone></Config>
         <ResourceRecordSetCount>42</ResourceRecordSetCount>
      </HostedZone>
   </HostedZones>
   <DNSName>example.com.</DNSName>
   <IsTruncated>false</IsTruncated>
   <MaxItems>100</MaxItems>
</ListHostedZonesByNameResponse>`,
  apex: `${xml}<ListResourceRecordSetsResponse ${route53}><ResourceRecordSets>
    <ResourceRecordSet><Name>example.com.</Name><Type>SOA</Type><TTL>900</TTL><ResourceRecords><ResourceRecord>
      <Value>ns-2048.awsdns-64.net. hostmaster.awsdns.com. 1 7200 900 1209600 86400</Value>
    </ResourceRecord></ResourceRecords></ResourceRecordSet>
  </ResourceRecordSets><IsTruncated>false</IsTruncated><MaxItems>100</MaxItems></ListResourceRecordSetsResponse>`,
  listResourceRecordSets: `${xml}<ListResourceRecordSetsResponse ${route53}>
   <ResourceRecordSets>
      <ResourceRecordSet>
         <Name>app.example.com.</Name>
         <Type>A</Type>
         <AliasTarget>
            <HostedZoneId>Z26RNL4JYFTOTI</HostedZoneId>
            <DNSName>k8s-ingress.elb.us-east-1.amazonaws.com.</DNSName>
            <EvaluateTargetHealth>true</EvaluateTargetHealth>
         </AliasTarget>
      </ResourceRecordSet>
      <ResourceRecordSet>
         <Name>app.example.com.</Name>
         <Type>AAAA</Type>
         <SetIdentifier>blue</SetIdentifier>
         <Weight>0</Weight>
         <TTL>60</TTL>
         <ResourceRecords>
            <ResourceRecord><Value>2001:db8::1</Value></ResourceRecord>
            <ResourceRecord><Value>2001:db8::2</Value></ResourceRecord>
         </ResourceRecords>
      </ResourceRecordSet>
      <ResourceRecordSet>
         <Name>app.example.com.</Name>
         <Type>TXT</Type>
         <TTL>300</TTL>
         <ResourceRecords><ResourceRecord><Value>&quot;heritage=external-dns,external-dns/owner=a&amp;b&quot;</Value></ResourceRecord></ResourceRecords>
      </ResourceRecordSet>
      <ResourceRecordSet>
         <Name>app.example.com.</Name>
         <Type>CNAME</Type>
         <SetIdentifier>green</SetIdentifier>
         <Failover>PRIMARY</Failover>
         <TTL>0</TTL>
         <ResourceRecords><ResourceRecord><Value>lb.example.org</Value></ResourceRecord></ResourceRecords>
         <HealthCheckId>02ec8401-9879-4259-91fa-04e66d094674</HealthCheckId>
      </ResourceRecordSet>
      <ResourceRecordSet>
         <Name>www.example.com.</Name>
         <Type>A</Type>
         <TTL>300</TTL>
         <ResourceRecords><ResourceRecord><Value>192.0.2.1</Value></ResourceRecord></ResourceRecords>
      </ResourceRecordSet>
   </ResourceRecordSets>
   <IsTruncated>false</IsTruncated>
   <MaxItems>100</MaxItems>
</ListResourceRecordSetsResponse>`,
  changeResourceRecordSets: `${xml}<ChangeResourceRecordSetsResponse ${route53}>${changeInfo('/change/C2682N5HXP0BZ4', 'PENDING')}
</ChangeResourceRecordSetsResponse>`,
  /** The reference's example has the bare id; Route 53 answers with the whole one. */
  getChange: {
    C2682N5HXP0BZ4: getChange('C2682N5HXP0BZ4'),
    '/change/C2682N5HXP0BZ4': getChange('/change/C2682N5HXP0BZ4'),
  },
  refusals: {
    NoSuchHostedZone: {
      status: 404,
      body: errorResponse('NoSuchHostedZone', 'No hosted zone found with ID: Z1'),
    },
    AccessDenied: {
      status: 403,
      body: errorResponse(
        'AccessDenied',
        'User: arn:aws:iam::1:user/a is not authorized to perform: &quot;route53:x&quot;',
      ),
    },
    InvalidChangeBatch: {
      status: 400,
      body: errorResponse('InvalidChangeBatch', '[Tried to create resource record set, but it already exists]'),
    },
  } satisfies Record<string, XmlResponse>,
  /** The other documented form of a batch that is wrong; this SDK tells it as `Unknown: UnknownError`. */
  invalidChangeBatch: {
    status: 400,
    body: `${xml}<InvalidChangeBatch ${route53}><Messages><Message>It already exists</Message><Message>It is not there</Message></Messages><RequestId>b25f48e8</RequestId></InvalidChangeBatch>`,
  } satisfies XmlResponse,
  unauthorized: {
    status: 403,
    body: `${xml}<Response><Errors><Error><Code>UnauthorizedOperation</Code><Message>You are not authorized to perform this operation.</Message></Error></Errors><RequestID>ea966190-f9aa-478e-9ede-example</RequestID></Response>`,
  } satisfies XmlResponse,
};
