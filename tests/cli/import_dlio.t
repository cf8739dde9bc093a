Workloads of MLPerf Storage become networks that take as long, and data sets.

  $ . "$TESTDIR/setup.sh"
  $ dlio="$TESTDIR/../data/dlio"
  $ paradl import "$dlio/unet3d_h100.yaml" -o unet3d.json
  $ paradl import "$dlio/resnet50_h100.yaml" --as dataset -o images.json
  $ cat images.json
  $ paradl import "$dlio/unet3d_h100.yaml" -q | cmp - unet3d.json
  $ paradl estimate unet3d.json --hw toy -s data=2 --no-input | grep iterations
  $ paradl list unet3d.json -q
  $ printf 'dataset:\n  num_files_train: 10\n  record_length: 1e3\n' > plain.yaml
  $ paradl import plain.yaml
  $ paradl import plain.yaml --as dataset -q | grep sample_size
  $ printf 'dataset:\n  num_files_train: ten\n' > wrong.yaml; paradl import wrong.yaml
  $ paradl import unet3d.json --as dataset
  $ paradl import plain.yaml --layer-config x
  $ paradl import plain.yaml --as file
