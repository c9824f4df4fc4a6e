"""Volumes and their sources (core/v1, Kubernetes 1.35)."""

from __future__ import annotations

from omec.api.shapes.container import (
    LABEL_SELECTOR,
    LOCAL_OBJECT_REFERENCE,
    OBJECT_FIELD_SELECTOR,
    RESOURCE_FIELD_SELECTOR,
)
from omec.api.shapes.meta import OBJECT_META
from omec.api.shapes.model import (
    BOOL,
    INT,
    QUANTITY,
    QUANTITY_MAP,
    STRING,
    STRING_MAP,
    STRINGS,
    ListOf,
    always,
    always_pointer,
    by_value,
    default,
    pointer,
    struct,
)

KEY_TO_PATH = struct("KeyToPath", key=always(STRING), path=always(STRING), mode=pointer(INT))

# Sources that a projected volume can combine

DOWNWARD_API_FILE = struct(
    "DownwardAPIVolumeFile",
    path=always(STRING),
    fieldRef=OBJECT_FIELD_SELECTOR,
    resourceFieldRef=RESOURCE_FIELD_SELECTOR,
    mode=pointer(INT),
)
NAMED_PROJECTION = struct(
    "ConfigMapProjection", name=default(STRING, ""), items=ListOf(KEY_TO_PATH), optional=pointer(BOOL)
)
VOLUME_PROJECTION = struct(
    "VolumeProjection",
    secret=NAMED_PROJECTION,
    downwardAPI=struct("DownwardAPIProjection", items=ListOf(DOWNWARD_API_FILE)),
    configMap=NAMED_PROJECTION,
    serviceAccountToken=struct(
        "ServiceAccountTokenProjection", audience=STRING, expirationSeconds=pointer(INT), path=always(STRING)
    ),
    clusterTrustBundle=struct(
        "ClusterTrustBundleProjection",
        name=pointer(STRING),
        signerName=pointer(STRING),
        labelSelector=LABEL_SELECTOR,
        optional=pointer(BOOL),
        path=always(STRING),
    ),
    podCertificate=struct(
        "PodCertificateProjection",
        signerName=STRING,
        keyType=STRING,
        maxExpirationSeconds=pointer(INT),
        credentialBundlePath=STRING,
        keyPath=STRING,
        certificateChainPath=STRING,
        userAnnotations=STRING_MAP,
    ),
)

# Claims

PERSISTENT_VOLUME_CLAIM_SPEC = struct(
    "PersistentVolumeClaimSpec",
    accessModes=STRINGS,
    selector=LABEL_SELECTOR,
    resources=by_value(struct("VolumeResourceRequirements", limits=QUANTITY_MAP, requests=QUANTITY_MAP)),
    volumeName=STRING,
    storageClassName=pointer(STRING),
    volumeMode=pointer(STRING),
    dataSource=struct(
        "TypedLocalObjectReference", apiGroup=always_pointer(STRING), kind=always(STRING), name=always(STRING)
    ),
    dataSourceRef=struct(
        "TypedObjectReference",
        apiGroup=always_pointer(STRING),
        kind=always(STRING),
        name=always(STRING),
        namespace=pointer(STRING),
    ),
    volumeAttributesClassName=pointer(STRING),
)
EPHEMERAL_VOLUME = struct(
    "EphemeralVolumeSource",
    volumeClaimTemplate=struct(
        "PersistentVolumeClaimTemplate",
        metadata=by_value(OBJECT_META),
        spec=by_value(PERSISTENT_VOLUME_CLAIM_SPEC),
    ),
)

VOLUME = struct(
    "Volume",
    name=always(STRING),
    hostPath=struct("HostPathVolumeSource", path=always(STRING), type=pointer(STRING)),
    emptyDir=struct("EmptyDirVolumeSource", medium=STRING, sizeLimit=pointer(QUANTITY)),
    gcePersistentDisk=struct(
        "GCEPersistentDiskVolumeSource", pdName=always(STRING), fsType=STRING, partition=INT, readOnly=BOOL
    ),
    awsElasticBlockStore=struct(
        "AWSElasticBlockStoreVolumeSource", volumeID=always(STRING), fsType=STRING, partition=INT, readOnly=BOOL
    ),
    gitRepo=struct("GitRepoVolumeSource", repository=always(STRING), revision=STRING, directory=STRING),
    secret=struct(
        "SecretVolumeSource",
        secretName=STRING,
        items=ListOf(KEY_TO_PATH),
        defaultMode=pointer(INT),
        optional=pointer(BOOL),
    ),
    nfs=struct("NFSVolumeSource", server=always(STRING), path=always(STRING), readOnly=BOOL),
    iscsi=struct(
        "ISCSIVolumeSource",
        targetPortal=always(STRING),
        iqn=always(STRING),
        lun=always(INT),
        iscsiInterface=default(STRING, "default"),
        fsType=STRING,
        readOnly=BOOL,
        portals=STRINGS,
        chapAuthDiscovery=BOOL,
        chapAuthSession=BOOL,
        secretRef=LOCAL_OBJECT_REFERENCE,
        initiatorName=pointer(STRING),
    ),
    glusterfs=struct("GlusterfsVolumeSource", endpoints=always(STRING), path=always(STRING), readOnly=BOOL),
    persistentVolumeClaim=struct("PersistentVolumeClaimVolumeSource", claimName=always(STRING), readOnly=BOOL),
    rbd=struct(
        "RBDVolumeSource",
        monitors=always(STRINGS),
        image=always(STRING),
        fsType=STRING,
        pool=default(STRING, "rbd"),
        user=default(STRING, "admin"),
        keyring=default(STRING, "/etc/ceph/keyring"),
        secretRef=LOCAL_OBJECT_REFERENCE,
        readOnly=BOOL,
    ),
    flexVolume=struct(
        "FlexVolumeSource",
        driver=always(STRING),
        fsType=STRING,
        secretRef=LOCAL_OBJECT_REFERENCE,
        readOnly=BOOL,
        options=STRING_MAP,
    ),
    cinder=struct(
        "CinderVolumeSource",
        volumeID=always(STRING),
        fsType=STRING,
        readOnly=BOOL,
        secretRef=LOCAL_OBJECT_REFERENCE,
    ),
    cephfs=struct(
        "CephFSVolumeSource",
        monitors=always(STRINGS),
        path=STRING,
        user=STRING,
        secretFile=STRING,
        secretRef=LOCAL_OBJECT_REFERENCE,
        readOnly=BOOL,
    ),
    flocker=struct("FlockerVolumeSource", datasetName=STRING, datasetUUID=STRING),
    downwardAPI=struct("DownwardAPIVolumeSource", items=ListOf(DOWNWARD_API_FILE), defaultMode=pointer(INT)),
    fc=struct("FCVolumeSource", targetWWNs=STRINGS, lun=pointer(INT), fsType=STRING, readOnly=BOOL, wwids=STRINGS),
    azureFile=struct("AzureFileVolumeSource", secretName=always(STRING), shareName=always(STRING), readOnly=BOOL),
    configMap=struct(
        "ConfigMapVolumeSource",
        name=default(STRING, ""),
        items=ListOf(KEY_TO_PATH),
        defaultMode=pointer(INT),
        optional=pointer(BOOL),
    ),
    vsphereVolume=struct(
        "VsphereVirtualDiskVolumeSource",
        volumePath=always(STRING),
        fsType=STRING,
        storagePolicyName=STRING,
        storagePolicyID=STRING,
    ),
    quobyte=struct(
        "QuobyteVolumeSource",
        registry=always(STRING),
        volume=always(STRING),
        readOnly=BOOL,
        user=STRING,
        group=STRING,
        tenant=STRING,
    ),
    azureDisk=struct(
        "AzureDiskVolumeSource",
        diskName=always(STRING),
        diskURI=always(STRING),
        cachingMode=pointer(STRING),
        fsType=pointer(STRING, default="ext4"),
        readOnly=pointer(BOOL, default=False),
        kind=pointer(STRING),
    ),
    photonPersistentDisk=struct("PhotonPersistentDiskVolumeSource", pdID=always(STRING), fsType=STRING),
    projected=struct("ProjectedVolumeSource", sources=always(ListOf(VOLUME_PROJECTION)), defaultMode=pointer(INT)),
    portworxVolume=struct("PortworxVolumeSource", volumeID=always(STRING), fsType=STRING, readOnly=BOOL),
    scaleIO=struct(
        "ScaleIOVolumeSource",
        gateway=always(STRING),
        system=always(STRING),
        secretRef=always_pointer(LOCAL_OBJECT_REFERENCE),
        sslEnabled=BOOL,
        protectionDomain=STRING,
        storagePool=STRING,
        storageMode=default(STRING, "ThinProvisioned"),
        volumeName=STRING,
        fsType=default(STRING, "xfs"),
        readOnly=BOOL,
    ),
    storageos=struct(
        "StorageOSVolumeSource",
        volumeName=STRING,
        volumeNamespace=STRING,
        fsType=STRING,
        readOnly=BOOL,
        secretRef=LOCAL_OBJECT_REFERENCE,
    ),
    csi=struct(
        "CSIVolumeSource",
        driver=always(STRING),
        readOnly=pointer(BOOL),
        fsType=pointer(STRING),
        volumeAttributes=STRING_MAP,
        nodePublishSecretRef=LOCAL_OBJECT_REFERENCE,
    ),
    ephemeral=EPHEMERAL_VOLUME,
    image=struct("ImageVolumeSource", reference=STRING, pullPolicy=STRING),
)
